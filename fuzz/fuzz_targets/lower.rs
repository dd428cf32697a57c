//! libFuzzer on [`culdesac_fuzz::lower`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| culdesac_fuzz::lower(data));
