//! libFuzzer on [`culdesac_fuzz::blocks`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::blocks(data));
