//! libFuzzer on [`culdesac_fuzz::solver`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::solver(data));
