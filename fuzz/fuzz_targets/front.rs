//! libFuzzer on [`culdesac_fuzz::front`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::front(data));
