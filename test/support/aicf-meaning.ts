import { commandName, fieldText, type AicfLine } from '../../protocol/src/aicf/ast.ts';
import { listLines } from '../../protocol/src/aicf/lines.ts';
import { parseAicf } from '../../protocol/src/aicf/parse.ts';
import { foldAicfReply } from '../../protocol/src/fold/aicf-stream.ts';
import { DEFAULT_SETTINGS } from '../../protocol/src/catalog/settings.ts';

/** What the lines of a file say: the command and the texts of the fields of each, and the value of a result. */
export function readMeaning(text: string): readonly (readonly unknown[])[] {
  return [...listLines(parseAicf(text, DEFAULT_SETTINGS))].flatMap(({ text: line, tree }) =>
    tree.kind === 'command'
      ? [
          [
            commandName(line, tree),
            tree.command === 'OK' ? readResult(line, tree) : undefined,
            ...tree.pipes.map((_, index) => fieldText(line, tree, index)),
          ],
        ]
      : [],
  );
}

/** The value that a client shows for a result, whatever stands before its command. */
function readResult(line: string, { pipes, end }: AicfLine): unknown {
  return foldAicfReply(`OK${line.slice(pipes[0] ?? end)}`).value;
}
