#!/usr/bin/env python3
"""Typesets one statement with the programs that banks make PDF documents with.

Needs chromium, wkhtmltopdf, soffice (LibreOffice Writer), pdflatex and the package reportlab. Every
number is invented, by chance from a seed. Run it in this folder: it writes a document for each
program and each layout, and the rows of each layout as CSV.
"""

import csv
import html
import pathlib
import random
import subprocess
import tempfile

TEXTS = ["Bakery", "Salary ACME", "Rent", "Card 1234 Coffee & Co", "Transfer 55 12", "Market (Main St.)"]


def ledger(seed, count):
    chance = random.Random(seed)
    day, balance, rows = 1, chance.randint(100_000, 900_000), []
    opening = balance
    for _ in range(count):
        day = min(28, day + (chance.randint(0, 2) == 0))
        cents = chance.randint(1, 60_000)
        cents = cents * 3 if chance.randint(0, 2) == 0 else -cents
        balance += cents
        text = [chance.choice(TEXTS)]
        if chance.randint(0, 3) == 0:
            text.append("and what it was for")
        rows.append((f"2026-01-{day:02}", text, cents, balance))
    return opening, rows


def plain(cents):
    return f"{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def signed(cents):
    return ("-" if cents < 0 else "") + plain(cents)


OPENING, ROWS = ledger(17, 70)
FEES = [("2026-01-29", ["Account fee"], -450), ("2026-01-30", ["Interest"], 123),
        ("2026-01-31", ["Card fee"], -299)]

# A layout is a list of lines: a text with an amount at the right end, or a table: its header and
# its rows. The first two columns are texts, the others amounts.
PLAIN = [
    ("line", "Statement from 2026-01-01 to 2026-01-31", ""),
    ("line", "Opening balance", signed(OPENING)),
    ("table", ["Date", "Description", "Money out", "Money in", "Balance"],
     [[day, text, plain(cents) if cents < 0 else "", plain(cents) if cents > 0 else "", signed(after)]
      for day, text, cents, after in ROWS]),
    ("line", "Closing balance", signed(ROWS[-1][3])),
]
SIGNED = [
    ("line", "Statement from 2026-01-01 to 2026-01-31", ""),
    ("line", "Opening balance", signed(OPENING)),
    ("table", ["Date", "Description", "Amount"],
     [[day, text, signed(cents)] for day, text, cents, _ in ROWS]),
    ("line", "Closing balance", signed(ROWS[-1][3])),
]
# Two columns in the first section, and one with signs in the second one.
MIXED = [
    ("line", "Statement from 2026-01-01 to 2026-01-31", ""),
    ("line", "Opening balance", signed(OPENING)),
    ("line", "Payments", ""),
    ("table", ["Date", "Description", "Money out", "Money in"],
     [[day, text, plain(cents) if cents < 0 else "", plain(cents) if cents > 0 else ""]
      for day, text, cents, _ in ROWS[:30]]),
    ("line", "Fees and interest", ""),
    ("table", ["Date", "Description", "Amount"], [[d, t, signed(c)] for d, t, c in FEES]),
    ("line", "Closing balance", signed(ROWS[29][3] + sum(cents for _, _, cents in FEES))),
]
LAYOUTS = {"plain": PLAIN, "signed": SIGNED, "mixed": MIXED}
WIDTHS = {5: [14, 38, 16, 16, 16], 4: [14, 46, 20, 20], 3: [14, 66, 20]}


def as_html(layout):
    parts = ["<!DOCTYPE html><meta charset=utf-8><title>Statement</title><style>"
             "body{font:10pt sans-serif}table{width:100%;border-collapse:collapse}"
             "th,td{text-align:left;padding:2px 4px;vertical-align:top}"
             ".n{text-align:right}tr{page-break-inside:avoid}</style>"]
    for kind, *rest in layout:
        if kind == "line":
            text, amount = rest
            parts.append("<table><tr><td width=70%%>%s</td><td width=30%% class=n align=right>%s</td></tr></table>"
                         % (html.escape(text), amount) if amount else f"<p>{html.escape(text)}</p>")
            continue
        header, rows = rest
        cell = lambda tag, at, text: (
            f"<{tag} width={WIDTHS[len(header)][at]}%" + (" class=n align=right" if at > 1 else "")
            + f">{text}</{tag}>")
        parts.append("<table><thead><tr>" + "".join(cell("th", at, text) for at, text in enumerate(header))
                     + "</tr></thead><tbody>")
        for day, text, *amounts in rows:
            cells = [day, "<br>".join(html.escape(line) for line in text), *amounts]
            parts.append("<tr>" + "".join(cell("td", at, text) for at, text in enumerate(cells)) + "</tr>")
        parts.append("</tbody></table>")
    return "\n".join(parts)


def run(*command, **more):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


def by_chromium(layout, target, folder):
    page = folder / "statement.html"
    page.write_text(as_html(layout))
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
        f"--print-to-pdf={target}", f"file://{page}")


def by_wkhtmltopdf(layout, target, folder):
    page = folder / "statement.html"
    page.write_text(as_html(layout))
    run("wkhtmltopdf", "-q", str(page), str(target))


def by_libreoffice(layout, target, folder):
    page = folder / "statement.html"
    page.write_text(as_html(layout))
    run("soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile",
        "--infilter=HTML (StarWriter)", "--convert-to", "pdf:writer_pdf_Export", str(page), cwd=folder)
    (folder / "statement.pdf").replace(target)


def by_latex(layout, target, folder):
    escaped = lambda text: text.replace("&", r"\&")
    parts = [r"\documentclass[10pt]{article}\usepackage[a4paper,margin=2cm]{geometry}"
             r"\usepackage{longtable}\parindent0pt\begin{document}\pagestyle{empty}"]
    for kind, *rest in layout:
        if kind == "line":
            parts.append(escaped(rest[0]) + r"\hfill " + rest[1] + "\n\n")
            continue
        header, rows = rest
        columns = "lp{6cm}" + "r" * (len(header) - 2)
        parts.append(r"\begin{longtable}{%s}%s\\\endhead" % (columns, " & ".join(header)))
        for day, text, *amounts in rows:
            text = r"\newline ".join(escaped(line) for line in text)
            parts.append(" & ".join([day, text, *amounts]) + r"\\")
        parts.append(r"\end{longtable}")
    parts.append(r"\end{document}")
    (folder / "statement.tex").write_text("\n".join(parts))
    for _ in range(3):
        run("pdflatex", "-interaction=batchmode", "statement.tex", cwd=folder)
    (folder / "statement.pdf").replace(target)


def by_reportlab(layout, target, _folder):
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    style, width, parts = getSampleStyleSheet()["Normal"], A4[0] - 80, []
    for kind, *rest in layout:
        if kind == "line":
            parts.append(Table([rest], [width * 0.7, width * 0.3], style=[("ALIGN", (1, 0), (1, 0), "RIGHT")]))
            continue
        header, rows = rest
        rows = [[day, Paragraph("<br/>".join(html.escape(line) for line in text), style), *amounts]
                for day, text, *amounts in rows]
        widths = [width * part / 100 for part in WIDTHS[len(header)]]
        parts.append(Table([header, *rows], widths, repeatRows=1,
                           style=[("ALIGN", (2, 0), (-1, -1), "RIGHT"), ("VALIGN", (0, 0), (-1, -1), "TOP")]))
    SimpleDocTemplate(str(target), pagesize=A4, leftMargin=40, rightMargin=40).build(parts)


PROGRAMS = {"chromium": by_chromium, "wkhtmltopdf": by_wkhtmltopdf, "libreoffice": by_libreoffice,
            "latex": by_latex, "reportlab": by_reportlab}

if __name__ == "__main__":
    here = pathlib.Path.cwd()
    for name, layout in LAYOUTS.items():
        with open(here / f"{name}.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["Date", "Cents", "Text"])
            for _, *rest in (part for part in layout if part[0] == "table"):
                header, rows = rest
                for day, text, *amounts in rows:
                    cents = lambda at: int(amounts[at].replace(",", "").replace(".", "") or 0)
                    value = cents(0) if header[2] == "Amount" else cents(1) - cents(0)
                    writer.writerow([day, value, " ".join(text)])
        for program, typeset in PROGRAMS.items():
            with tempfile.TemporaryDirectory() as folder:
                typeset(layout, here / f"{name}_{program}.pdf", pathlib.Path(folder))
