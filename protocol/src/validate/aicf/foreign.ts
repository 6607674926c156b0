import { encodeField } from '../../aicf/codec.ts';
import { AICF_COMMANDS } from '../../catalog/aicf.ts';
import type { Fix } from '../../text/issue.ts';
import { quote } from '../../text/quote.ts';
import { findSimilar } from '../../text/similar.ts';
import { buildIssue, type AicfRule, type LineView, type RuleContext } from './report.ts';

/** Lines that no command begins, with the blank lines between them. */
interface Run {
  readonly first: LineView;
  readonly start: number;
  end: number;
  lastLine: number;
  /** Where the data line directly above ends; undefined where none does. */
  readonly dataEnd: number | undefined;
}

/**
 * Reports lines that no command begins, a run of them once. Below a response with data they are probably the rest of
 * its data (reading of AICF-RPC 1.0: a reply body is one response), so the fix joins them to it.
 */
export const checkForeignText: AicfRule = context => {
  let run: Run | undefined;
  let dataEnd: number | undefined;
  const close = (): void => {
    if (run) reportRun(context, run);
    run = undefined;
  };
  return {
    visit(line) {
      const { tree, start } = line;
      if (tree.faults.some(fault => fault.code === 'aicf/foreign-text')) {
        run ??= { first: line, start: start + tree.word.start, end: 0, lastLine: 0, dataEnd };
        run.end = start + tree.word.end;
        run.lastLine = line.number;
        return;
      }
      close();
      dataEnd = holdsData(line) ? start + tree.end : undefined;
    },
    finish: close,
  };
};

/** True for a response whose last field takes the rest of the line. */
function holdsData({ tree }: LineView): boolean {
  if (tree.command === 'OK' || tree.command === 'STREAM') return tree.pipes.length > 0;
  return tree.command === 'ERR' && tree.pipes.length > 1;
}

function reportRun(context: RuleContext, run: Run): void {
  const { first, start, end, dataEnd } = run;
  const text = first.text.slice(first.tree.word.start, first.tree.word.end);
  const what = `No command begins ${quote(text)}`;
  const message = `${what}; ${adviseOn(run, text)}`;
  const fix = dataEnd === undefined ? commentOut(context, run) : joinToData(context, dataEnd, end);
  context.report(buildIssue('aicf/foreign-text', { start, end }, message, [fix]));
}

function adviseOn(run: Run, text: string): string {
  if (run.dataEnd !== undefined) return `join it to the data above with '\\n', or begin it with '#'`;
  const word = /^[A-Za-z]{2,8}(?=\||$)/.exec(text.slice(0, 9))?.[0] ?? '';
  const similar = findSimilar(
    word,
    AICF_COMMANDS.map(row => row.name),
  );
  if (similar) return `did you mean ${quote(similar)}?`;
  return `begin the line with a command, or with '#' for a note`;
}

function joinToData({ doc }: RuleContext, dataEnd: number, end: number): Fix {
  const rest = doc.text.slice(dataEnd, end).replace(/\r\n?/g, '\n');
  return {
    title: 'Join to the data above',
    edits: [{ span: { start: dataEnd, end }, newText: encodeField(rest) }],
    safe: false,
  };
}

function commentOut({ doc }: RuleContext, { start, end }: Run): Fix {
  const newText = doc.text.slice(start, end).replace(/(^|\r\n?|\n)(?=[^\r\n])/g, '$1# ');
  return { title: "Begin with '#'", edits: [{ span: { start, end }, newText }], safe: false };
}
