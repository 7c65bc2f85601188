// Laid out in Package.swift; its sources follow.
