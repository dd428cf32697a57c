//! libFuzzer on [`culdesac_fuzz::interp`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::interp(data));
