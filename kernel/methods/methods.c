/* The list of methods.  A new one is its file, its line in method.h and one here. */
#include "method.h"

const struct method *const methods[] = { &method_step,       &method_btf,  &method_btf_lbr,
                                         &method_lbr,        &method_bts,  &method_bts_pmi,
                                         &method_bts_each,   &method_none, &method_tr,
                                         &method_lbr_stream, &method_pmi,  &method_ler,
                                         &method_brs };
const size_t method_count = sizeof methods / sizeof methods[0];
_Static_assert(sizeof methods / sizeof methods[0] <= METHODS_MAX, "tables by method");
