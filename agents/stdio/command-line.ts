import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { isSecretName } from '../../core/secrets/secret-name.ts';

/**
 * A command with its arguments as people read it: quoted where a part is empty or holds blanks, quotes or characters
 * that do not show, so that no two command lines look the same. It is never run as it stands here.
 */
export function printCommandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(printPart).join(' ');
}

/** The same without the credentials in it, by the names of options and in addresses: how lists, messages and traces show it. */
export function showCommandLine(command: string, args: readonly string[]): string {
  const shown = args.map((arg, index) => showArgument(arg, args[index - 1] ?? ''));
  return printCommandLine(redactUrl(command), shown);
}

/** `--token=abc`, and `abc` after `--token`. */
function showArgument(arg: string, before: string): string {
  const [, option = '', name = '', value = ''] = /^(--?([\w-]+)=)(.+)$/.exec(arg) ?? [];
  if (isSecretName(name, 'other')) return `${option}${hideValue(value)}`;
  const isValue = /^--[\w-]+$/.test(before) && isSecretName(before, 'other') && !arg.startsWith('-');
  return isValue ? hideValue(arg) : redactUrl(arg);
}

/** What a variable stands for is not in the text. */
function hideValue(value: string): string {
  return /^\$\{[^{}]*\}$/.test(value) ? value : REDACTED;
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
