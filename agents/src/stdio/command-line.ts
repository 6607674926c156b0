import { redactUrl } from '../../../protocol/src/trace/redact.ts';

/**
 * A command with its arguments as people read it: quoted where a part is empty or holds blanks, quotes or characters
 * that do not show, so that no two command lines look the same. It is never run as it stands here.
 */
export function printCommandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(printPart).join(' ');
}

/** The same without the credentials of addresses in it: how lists, messages and traces show it. */
export function showCommandLine(command: string, args: readonly string[]): string {
  return printCommandLine(redactUrl(command), args.map(redactUrl));
}

function printPart(part: string): string {
  return /^[\w@%+=:,./\\~${}-]+$/.test(part) ? part : escapeInvisible(JSON.stringify(part));
}

/** Marks of direction, of zero width and spaces other than U+0020 could make one command look like another. */
function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]|(?! )\p{Zs}/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
