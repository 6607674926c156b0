import {
  DocumentDropOrPasteEditKind,
  DocumentPasteEdit,
  languages,
  Range,
  type DataTransfer,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { escapeInside } from '../../../../language/aicl/escapes.ts';
import { askAt } from '../../window/ask-at.ts';
import { toRange } from '../../conversion/conversion-source.ts';
import type { Asker } from '../../language-client/ask.ts';
import { TEXT_AT } from '../../../../wire/text-requests.ts';

const KIND = DocumentDropOrPasteEditKind.Text.append('parley', 'escape');
const MIME = 'text/plain';

/** Escapes text that is pasted into an AICL text value, such as a bracket. */
export function registerTextPaste(server: Asker): Disposable {
  return languages.registerDocumentPasteEditProvider(
    { language: 'aicl' },
    {
      async provideDocumentPasteEdits(document, ranges, data) {
        const text = await readText(data);
        // Pasted letters may extend an escape, or follow a backslash.
        if (!/[\]\\\r]|u00/i.test(text)) return undefined;
        const written = new Set<string | undefined>();
        for (const range of ranges) written.add(await escapeAt(server, document, range, text));
        const [insert] = written;
        if (written.size !== 1 || insert === undefined || insert === text) return undefined;
        return [new DocumentPasteEdit(insert, "Paste into Text, with ']' as \\u005D", KIND)];
      },
    },
    { providedPasteEditKinds: [KIND], pasteMimeTypes: [MIME] },
  );
}

/** Line breaks in a text value are LF. */
async function readText(data: DataTransfer): Promise<string> {
  return ((await data.get(MIME)?.asString()) ?? '').replaceAll('\r\n', '\n');
}

/** The escaped text for a range within one text value; undefined for any other range. */
async function escapeAt(
  server: Asker,
  document: TextDocument,
  range: Range,
  text: string,
): Promise<string | undefined> {
  const answer = await askAt(server, TEXT_AT, document, () => range.start);
  const content = answer && toRange(answer.range);
  if (!content?.contains(range)) return undefined;
  const before = document.getText(new Range(content.start, range.start));
  return escapeInside(before, text, document.getText(new Range(range.end, content.end)));
}
