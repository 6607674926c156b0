import { explain as explainCode } from '../../../core/catalog/describe.ts';
import { RULES } from '../../../core/catalog/rules.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { EXIT, UsageError } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { FORMAT_OPTION, type Command } from './command.ts';

/** `parley explain`: prints the documentation of a rule or a wire code as Markdown. */
export const explain: Command = {
  name: 'explain',
  usage: 'CODE',
  summary: 'Explains a rule, such as aicf/unknown-command, or a wire code, such as 2001.',
  options: [FORMAT_OPTION],
  run(terminal, line) {
    const [code, another] = line.paths;
    if (code === undefined || another !== undefined) {
      throw new UsageError("'parley explain' takes one code, such as 'parley explain 2001'");
    }
    const markdown = explainCode(code);
    if (markdown === undefined) throw new UsageError(describeUnknown(code));
    const json = line.option('format') === 'json';
    terminal.out(json ? printJson({ code, markdown }) : `${markdown.trimEnd()}\n`);
    return Promise.resolve(EXIT.fine);
  },
};

function describeUnknown(code: string): string {
  const codes: readonly string[] = RULES.map(row => row.code);
  const similar = findSimilar(code, codes);
  return `There is no code ${quote(code)}${similar === undefined ? '' : `: did you mean '${similar}'?`}`;
}
