import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { isSecretArgument, isSecretName } from '../../core/secrets/secret-name.ts';

/**
 * A command with its arguments as text to read: parts are quoted if they are empty or contain blanks, quotes
 * or invisible characters, so that no two command lines look the same. The text is never executed.
 */
export function printCommandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(printPart).join(' ');
}

/**
 * The same without credentials, which are found by names of options and in addresses, for lists, messages and
 * traces.
 */
export function showCommandLine(command: string, args: readonly string[]): string {
  const shown = args.map((arg, index) => showArgument(arg, args[index - 1] ?? ''));
  return printCommandLine(redactUrl(command), shown);
}

/** Hides the value in `--token=abc`, and `abc` after `--token`. */
function showArgument(arg: string, before: string): string {
  const [, option = '', name = '', value = ''] = /^(--?([\w-]+)=)(.+)$/.exec(arg) ?? [];
  if (isSecretName(name, 'other')) return `${option}${hideValue(value)}`;
  return isSecretArgument(arg, before) ? hideValue(arg) : redactUrl(arg);
}

/** A reference to a variable does not contain its value, so it is shown. */
function hideValue(value: string): string {
  return /^\$\{[^{}]*\}$/.test(value) ? value : REDACTED;
}

function printPart(part: string): string {
  return /^[\w@%+=:,./\\~${}-]+$/.test(part) ? part : escapeInvisible(JSON.stringify(part));
}

/**
 * Escapes direction marks, zero-width characters and spaces other than U+0020, which could make commands look
 * alike.
 */
function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]|(?! )\p{Zs}/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
