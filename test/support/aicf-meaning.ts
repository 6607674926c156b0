import { commandName, fieldText, type AicfLine } from '../../language/aicf/ast.ts';
import { listLines, parseAicf } from '../../language/aicf/parse.ts';
import { foldAicfReply } from '../../language/aicf/reply-stream.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';

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

/** The value that a client shows for a result, whatever is before its command. */
function readResult(line: string, { pipes, end }: AicfLine): unknown {
  return foldAicfReply(`OK${line.slice(pipes[0] ?? end)}`).value;
}
