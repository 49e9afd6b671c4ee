#!/usr/bin/env python3
"""Makes the scans in this folder: statements as pictures of pages, stored as scanners do it.

Needs Pillow and the DejaVu fonts. Every number is invented. Run it in this folder.
"""

import io
import zlib

from PIL import Image, ImageDraw, ImageFont, ImageOps

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
# A page of A4 at 150 dots an inch.
WIDTH, HEIGHT = 1240, 1754

ROWS = [
    ("2026-01-02", "Bakery on the corner", "12.50", "", "987.50"),
    ("2026-01-05", "Supermarket", "64.37", "", "923.13"),
    ("2026-01-15", "Salary January", "", "2,345.67", "3,268.80"),
    ("2026-01-20", "Electricity", "78.09", "", "3,190.71"),
    ("2026-01-31", "Rent", "800.00", "", "2,390.71"),
]


def page(rows, closing="2,390.71"):
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, 24)

    def left(x, y, text):
        draw.text((x, y), text, font=font, fill=0)

    def right(x, y, text):
        draw.text((x - draw.textlength(text, font=font), y), text, font=font, fill=0)

    left(100, 100, "Statement from 2026-01-01 to 2026-01-31")
    left(100, 150, "Opening balance")
    right(1140, 150, "1,000.00")
    left(100, 210, "Date")
    left(300, 210, "Description")
    right(800, 210, "Money out")
    right(970, 210, "Money in")
    right(1140, 210, "Balance")
    y = 260
    for date, text, out, into, balance in rows:
        left(100, y, date)
        left(300, y, text)
        right(800, y, out)
        right(970, y, into)
        right(1140, y, balance)
        y += 45
    left(100, y + 20, "Closing balance")
    right(1140, y + 20, closing)
    return image


def pdf(width, height, picture, data):
    """A document with one page, which is one picture."""
    content = b"q 595 0 0 842 0 0 cm /P Do Q"
    head = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} {picture}"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /XObject << /P 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head.encode(), len(data), data),
    ]
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 6\n0000000000 65535 f \n")
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def fax(image):
    """The bytes of the picture in group 4, out of a TIFF with one strip."""
    out = io.BytesIO()
    # Pillow codes black as what faxes call white.
    turned = ImageOps.invert(image).convert("1", dither=0)
    turned.save(out, "TIFF", compression="group4", tiffinfo={278: HEIGHT})
    file = Image.open(io.BytesIO(out.getvalue()))
    start, length = file.tag_v2[273][0], file.tag_v2[279][0]
    assert len(file.tag_v2[273]) == 1
    assert file.tag_v2[262] == 1, file.tag_v2[262]
    return out.getvalue()[start : start + length]


def save(name, *arguments):
    with open(name, "wb") as file:
        file.write(pdf(WIDTH, HEIGHT, *arguments))


good = page(ROWS)
save(
    "fax.pdf",
    "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode"
    f" /DecodeParms << /K -1 /Columns {WIDTH} /Rows {HEIGHT} >>",
    fax(good),
)
jpeg = io.BytesIO()
good.save(jpeg, "JPEG", quality=40)
save(
    "jpeg.pdf",
    "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode",
    jpeg.getvalue(),
)
save(
    "pixels.pdf",
    "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode",
    zlib.compress(good.convert("1", dither=0).tobytes(), 9),
)
# One digit is another one than in the bank's books.
wrong = [("2026-01-05", "Supermarket", "64.31", "", "923.13") if row[0] == "2026-01-05" else row
         for row in ROWS]
save(
    "wrong.pdf",
    "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode"
    f" /DecodeParms << /K -1 /Columns {WIDTH} /Rows {HEIGHT} >>",
    fax(page(wrong)),
)
