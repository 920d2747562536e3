"""Text leaves the site compressed, to those who can read it so; what is compressed already stays as it is."""

import gzip


def test_a_page_is_compressed_for_a_browser_and_plain_for_others(client, phase):
    compressed = client.get("/", headers={"accept-encoding": "gzip, br"})
    plain = client.get("/")

    assert compressed["Content-Encoding"] == "gzip"
    assert "Task health" in gzip.decompress(compressed.content).decode()
    assert len(compressed.content) < len(plain.content) / 2
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]


def test_two_answers_with_the_same_page_of_somebody_differ_in_length_at_random(as_alice):
    lengths = {len(as_alice.get("/teams/", headers={"accept-encoding": "gzip"}).content) for _ in range(12)}

    assert len(lengths) > 1


def test_a_style_sheet_is_compressed_and_a_font_is_not(client, db):
    sheet = client.get("/static/css/base.css", headers={"accept-encoding": "gzip"})
    face = "/static/vendor/source-sans-3/source-sans-3-latin-wght-normal.woff2"
    font = client.get(face, headers={"accept-encoding": "gzip"})

    assert b"".join(sheet.streaming_content)[:2] == b"\x1f\x8b"
    assert "Content-Encoding" not in font
    assert b"".join(font.streaming_content)[:4] == b"wOF2"
