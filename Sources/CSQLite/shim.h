#include <sqlite3.h>

/* Each page of a database is allocated when it is needed, in place of twenty at once (sqlite.org, malloc.html, section 3.3):
   the databases here have a handful. Before any other use of the library; later it changes nothing. */
static inline void locateme_sqlite_without_page_reserve(void) { sqlite3_config(SQLITE_CONFIG_PAGECACHE, 0, 0, 0); }
