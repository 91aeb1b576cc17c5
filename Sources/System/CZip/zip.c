#include "CZip.h"

#include "CLazyLibrary.h"

#define ZIP_FUNCTIONS(F) \
    F(zip_discard) \
    F(zip_error_fini) \
    F(zip_error_init_with_code) \
    F(zip_error_strerror) \
    F(zip_fclose) \
    F(zip_file_strerror) \
    F(zip_fopen_index) \
    F(zip_fread) \
    F(zip_get_name) \
    F(zip_get_num_entries) \
    F(zip_open) \
    F(zip_stat_index) \
    F(zip_strerror)

WR_LAZY_LIBRARY(czip, ZIP_FUNCTIONS, "libzip.so.4", "libzip.so.5")
