//! How is a page unpacked to as many bytes as it says, and to none beyond?

use std::io::Read;

use ::parquet::basic::Compression;
use flate2::bufread::MultiGzDecoder;

use super::thrift::{Broken, Result};

/// Unpacks bytes and appends them.
pub(super) fn unpack(codec: Compression, packed: &[u8], length: usize, into: &mut Vec<u8>) -> Result<()> {
    let before = into.len();
    // A page of nothing may have nothing packed in it.
    if length == 0 {
        return Ok(());
    }
    match codec {
        Compression::UNCOMPRESSED => into.extend_from_slice(packed),
        Compression::SNAPPY => {
            if snap::raw::decompress_len(packed).ok() != Some(length) {
                return Err(Broken);
            }
            into.resize(before + length, 0);
            snap::raw::Decoder::new().decompress(packed, &mut into[before..]).map_err(|_| Broken)?;
        }
        Compression::GZIP(_) => {
            into.reserve_exact(length);
            MultiGzDecoder::new(packed).take(length as u64 + 1).read_to_end(into)?;
        }
        Compression::ZSTD(_) => {
            into.resize(before + length, 0);
            let unpacked = zstd::bulk::decompress_to_buffer(packed, &mut into[before..])?;
            into.truncate(before + unpacked);
        }
        _ => return Err(Broken),
    }
    if into.len() - before == length { Ok(()) } else { Err(Broken) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use ::parquet::basic::{GzipLevel, ZstdLevel};
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn a_page_is_as_long_as_it_says() {
        let text = vec![b'x'; 100_000];
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(&text).expect("memory");
        let packed = [
            (Compression::UNCOMPRESSED, text.clone()),
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(&text).expect("memory")),
            (Compression::GZIP(GzipLevel::default()), gzip.finish().expect("memory")),
            (Compression::ZSTD(ZstdLevel::default()), zstd::bulk::compress(&text, 1).expect("memory")),
        ];
        for (codec, bytes) in packed {
            let unpacked = |length: usize| {
                let mut into = b"levels".to_vec();
                unpack(codec, &bytes, length, &mut into).map(|()| into)
            };
            assert_eq!(unpacked(text.len()), Ok([b"levels", &text[..]].concat()), "{codec}");
            for other in [1, text.len() - 1, text.len() + 1] {
                assert_eq!(unpacked(other), Err(Broken), "{codec}");
            }
            assert_eq!(unpacked(0), Ok(b"levels".to_vec()), "{codec}");
        }
    }
}
