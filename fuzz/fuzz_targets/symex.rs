//! libFuzzer on [`culdesac_fuzz::symex`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::symex(data));
