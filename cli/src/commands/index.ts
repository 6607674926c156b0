import { agents } from './agents.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { convert } from './convert.ts';
import { demo } from './demo.ts';
import { explain } from './explain.ts';
import { format } from './format.ts';
import { lsp } from './lsp.ts';
import { send } from './send.ts';
import { tensor } from './tensor.ts';
import { tokens } from './tokens.ts';
import { tools } from './tools.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  check,
  format,
  convert,
  tensor,
  tokens,
  send,
  agents,
  tools,
  demo,
  explain,
  lsp,
];

/** Commands of the command line's contract that this version lacks. */
export const COMMANDS_TO_COME: readonly string[] = ['trace', 'record'];
