import type { AicfDocument } from '../../aicf/parse.ts';
import {
  buildFix,
  draftLineIssue,
  lineEndOf,
  type AicfRule,
  type LineView,
  type IssueDraft,
} from './report.ts';

/**
 * A run of `STREAM` lines must end with `END` or `ERR` (AICF-RPC 1.0, "Streaming Responses"). Reported on its
 * last line.
 */
export const checkStreamEnd: AicfRule = ({ doc, around, report }) => {
  let last: LineView | undefined;
  const close = (): void => {
    if (last) report(draftLineIssue('aicf/stream-without-end', last, last.tree.word, describeEnd(doc, last)));
    last = undefined;
  };
  return {
    visit(line) {
      const { kind, command } = line.tree;
      if (kind !== 'command') return;
      if (command === 'STREAM') last = line;
      else if (command === 'END' || command === 'ERR') last = undefined;
      else close();
    },
    finish() {
      if (!around.streamGoesOn) close();
    },
  };
};

function describeEnd(doc: AicfDocument, line: LineView): IssueDraft['words'] {
  return () => {
    const { end } = line.tree;
    const newText = `${lineEndOf(doc, line)}END`;
    return {
      message: "The stream has no end; write 'END' after its last 'STREAM' line",
      fixes: [buildFix("Write 'END'", line, { start: end, end }, newText)],
    };
  };
}
