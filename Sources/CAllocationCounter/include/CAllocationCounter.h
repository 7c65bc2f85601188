#pragma once

/// Number of allocations that this process has made so far: malloc, calloc, realloc, memalign and their kin.
unsigned long long allocation_count(void);
