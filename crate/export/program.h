
/* The program, whose warnings are its own business. */
#pragma GCC system_header
#ifdef CULDESAC_RENAMES_MAIN
#define main program_main
#endif
#if defined __GNUC__ && !defined __clang__
/* Of some it tells no place, so that they are not known to be the program's. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#endif
#include CULDESAC_PROGRAM
#undef main
