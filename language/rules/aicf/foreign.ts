import { encodeField } from '../../aicf/codec.ts';
import { isBlank, skipBlanks } from '../../aicf/characters.ts';
import { AICF_COMMANDS, type AicfCommandRow } from '../../../core/catalog/aicf.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  buildFix,
  type AicfRule,
  type IssueDraft,
  type IssueWords,
  type LineView,
  type RuleContext,
} from './report.ts';
import type { NameFinder } from './similar-names.ts';
import { holdsData, isForeignText } from './surroundings.ts';

/** Consecutive lines without a command, including blank lines between them. */
interface Run {
  readonly first: LineView;
  readonly start: number;
  end: number;
  /** The end of the data line directly above; undefined if there is none. */
  readonly dataEnd: number | undefined;
}

/**
 * Reports lines without a command, once per run. After a response with data they are probably the rest of its
 * data (reading of AICF-RPC 1.0: a reply body is one response), so the fix joins them to it.
 */
export const checkForeignText: AicfRule = context => {
  const { report, around } = context;
  let { isInRun, dataEnd } = around;
  let run: Run | undefined;
  const close = (): void => {
    if (run) report(draftRun(context, run));
    run = undefined;
    isInRun = false;
  };
  return {
    visit(line) {
      const { tree, start } = line;
      if (isForeignText(line)) {
        // A run that continues from the block above is reported where it starts.
        if (isInRun) return;
        run ??= { first: line, start: start + tree.word.start, end: 0, dataEnd };
        run.end = start + tree.word.end;
        return;
      }
      close();
      dataEnd = holdsData(line) ? start + tree.end : undefined;
    },
    finish() {
      if (run) run.end = around.runEnd ?? run.end;
      close();
    },
  };
};

function draftRun(context: RuleContext, run: Run): IssueDraft {
  const { start, end } = run;
  return {
    code: 'aicf/foreign-text',
    span: { start, end },
    words: names => describeRun(context, run, names),
  };
}

function describeRun(context: RuleContext, run: Run, names: NameFinder): IssueWords {
  const { first, dataEnd } = run;
  const text = first.text.slice(first.tree.word.start, first.tree.word.end);
  if (dataEnd !== undefined) {
    const message = `${quote(text)} does not begin with a command; join it to the data above with '\\n', or begin it with '#'`;
    return { message, fixes: [...joinToData(context, run), ...commentOut(context, run)] };
  }
  const command = findCommandBeforeBlank(text);
  if (!command) {
    const similar = names.command(/^[A-Za-z]{2,8}(?=\||$)/.exec(text.slice(0, 9))?.[0] ?? '');
    const advice = similar
      ? `did you mean ${quote(similar)}?`
      : `begin the line with a command, or with '#' for a note`;
    const fixes = similar ? [writeCommand(run, text, similar)] : [];
    return {
      message: `${quote(text)} does not begin with a command; ${advice}`,
      fixes: [...fixes, ...commentOut(context, run)],
    };
  }
  const after = first.tree.word.start + command.name.length;
  if (command.fields.length === 0) {
    const message = `${quote(command.name)} takes no text; remove it, or begin the line with '#' for a note`;
    const rest = { start: after, end: first.tree.word.end };
    return { message, fixes: [buildFix('Remove the text', first, rest, ''), ...commentOut(context, run)] };
  }
  const message = `After ${quote(command.name)} a '|' is missing; fields are separated by '|'`;
  const gap = { start: after, end: skipBlanks(first.text, after) };
  return {
    message,
    fixes: [buildFix("Replace the space by '|'", first, gap, '|'), ...commentOut(context, run)],
  };
}

/** A fix that replaces the first word by the similar command. */
function writeCommand({ first }: Run, text: string, command: string): Fix {
  const { start } = first.tree.word;
  const end = start + (/^[A-Za-z]*/.exec(text.slice(0, 9))?.[0].length ?? 0);
  return buildFix(`Write ${command}`, first, { start, end }, command);
}

/** The command at the start of a line, if a blank and text follow it. */
function findCommandBeforeBlank(text: string): AicfCommandRow | undefined {
  return AICF_COMMANDS.find(({ name }) => text.startsWith(name) && isBlank(text.charCodeAt(name.length)));
}

/** Maximum length of a run that a fix rewrites. */
const LONGEST_FIX = 1 << 18;

function joinToData({ doc }: RuleContext, { dataEnd, end }: Run): readonly Fix[] {
  if (dataEnd === undefined || end - dataEnd > LONGEST_FIX) return [];
  const rest = doc.text.slice(dataEnd, end).replace(/\r\n?/g, '\n');
  const edits = [{ span: { start: dataEnd, end }, newText: encodeField(rest) }];
  return [{ title: 'Join to the data above', edits, safe: false }];
}

function commentOut({ doc }: RuleContext, { first, end }: Run): readonly Fix[] {
  // The `#` goes before a prefix; after it, it would be ordinary text.
  const start = first.start + (first.tree.prefix?.start ?? first.tree.word.start);
  if (end - start > LONGEST_FIX) return [];
  const newText = doc.text.slice(start, end).replace(/(^|\r\n?|\n)(?=[^\r\n])/g, '$1# ');
  return [{ title: "Begin with '#'", edits: [{ span: { start, end }, newText }], safe: false }];
}
