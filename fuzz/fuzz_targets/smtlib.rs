//! libFuzzer on [`culdesac_fuzz::smtlib`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::smtlib(data));
