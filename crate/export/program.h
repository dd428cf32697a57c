
/* The program, whose warnings are its own business. */
#pragma GCC system_header
#ifdef CULDESAC_RENAMES_MAIN
#define main program_main
#endif
#include CULDESAC_PROGRAM
#undef main
