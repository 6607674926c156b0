import { buildLineIssue, type AicfRule, type LineView } from './report.ts';

/** A run of `STREAM` lines ends with `END` or `ERR` (AICF-RPC 1.0, "Streaming Responses"). Told on its last line. */
export const checkStreamEnd: AicfRule = ({ report }) => {
  let last: LineView | undefined;
  const close = (): void => {
    if (!last) return;
    const message = "The stream has no end; write 'END' after its last 'STREAM' line";
    report(buildLineIssue('aicf/stream-without-end', last, last.tree.word, message));
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
    finish: close,
  };
};
