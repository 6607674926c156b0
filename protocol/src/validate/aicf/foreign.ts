import { encodeField } from '../../aicf/codec.ts';
import { isBlank, skipBlanks } from '../../aicf/characters.ts';
import { AICF_COMMANDS, type AicfCommandRow } from '../../catalog/aicf.ts';
import type { Fix } from '../../text/issue.ts';
import { quote } from '../../text/quote.ts';
import { buildFix, buildIssue, type AicfRule, type LineView, type RuleContext } from './report.ts';
import { commandFinder, type FindCommandLike } from './similar-command.ts';

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
  const findCommandLike = commandFinder();
  let run: Run | undefined;
  let dataEnd: number | undefined;
  const close = (): void => {
    if (run) reportRun(context, run, findCommandLike);
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

function reportRun(context: RuleContext, run: Run, findCommandLike: FindCommandLike): void {
  const { first, start, end, dataEnd } = run;
  const text = first.text.slice(first.tree.word.start, first.tree.word.end);
  const report = (message: string, ...fixes: readonly Fix[]): void =>
    context.report(buildIssue('aicf/foreign-text', { start, end }, message, fixes));
  if (dataEnd !== undefined) {
    const advice = `join it to the data above with '\\n', or begin it with '#'`;
    report(`No command begins ${quote(text)}; ${advice}`, joinToData(context, dataEnd, end));
    return;
  }
  const command = findCommandBeforeBlank(text);
  if (!command) {
    report(`No command begins ${quote(text)}; ${adviseOn(text, findCommandLike)}`, commentOut(context, run));
  } else if (command.fields.length === 0) {
    const after = { start: first.tree.word.start + command.name.length, end: first.tree.word.end };
    const message = `${quote(command.name)} takes no text; remove it, or begin the line with '#' for a note`;
    report(message, buildFix('Remove the text', first, after, ''), commentOut(context, run));
  } else {
    const blank = first.tree.word.start + command.name.length;
    const gap = { start: blank, end: skipBlanks(first.text, blank) };
    const message = `After ${quote(command.name)} a '|' is missing; fields are separated by '|'`;
    report(message, buildFix("Replace the blank by '|'", first, gap, '|'), commentOut(context, run));
  }
}

/** The command that a line begins with, where a blank and text follow it. */
function findCommandBeforeBlank(text: string): AicfCommandRow | undefined {
  return AICF_COMMANDS.find(({ name }) => text.startsWith(name) && isBlank(text.charCodeAt(name.length)));
}

function adviseOn(text: string, findCommandLike: FindCommandLike): string {
  const word = /^[A-Za-z]{2,8}(?=\||$)/.exec(text.slice(0, 9))?.[0] ?? '';
  const similar = findCommandLike(word);
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

function commentOut({ doc }: RuleContext, { first, end }: Run): Fix {
  // The `#` goes before a prefix: behind it, it would be text like any other.
  const start = first.start + (first.tree.prefix?.start ?? first.tree.word.start);
  const newText = doc.text.slice(start, end).replace(/(^|\r\n?|\n)(?=[^\r\n])/g, '$1# ');
  return { title: "Begin with '#'", edits: [{ span: { start, end }, newText }], safe: false };
}
