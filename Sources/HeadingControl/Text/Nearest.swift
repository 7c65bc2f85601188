/// Finds what somebody probably meant to type.
enum Nearest {
    /// The candidate with the smallest optimal string alignment distance (insertions, deletions, substitutions and
    /// swaps of neighbours count 1), or the only one that begins with the word. Nil if none is close: more than a
    /// third of the longer one's letters, at least one, would have to change.
    static func match(_ word: String, among candidates: [String]) -> String? {
        let started = candidates.filter { $0.hasPrefix(word) }
        if word.count >= 2, started.count == 1 { return started[0] }
        // Nobody mistypes a page of text, and the distance takes time quadratic in the length.
        guard word.utf8.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(word, candidate)
            let limit = max(1, max(word.count, candidate.count) / 3)
            if distance <= limit, best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Optimal string alignment distance in characters.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        var before: [Int] = []
        var above = Array(0...right.count)
        for row in left.indices {
            var line = [row + 1]
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var value = min(above[column + 1] + 1, line[column] + 1, above[column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    value = min(value, before[column - 1] + 1)
                }
                line.append(value)
            }
            before = above
            above = line
        }
        return above[right.count]
    }
}
