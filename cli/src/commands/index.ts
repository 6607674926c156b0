import { agents } from './agents.ts';
import { bridge } from './bridge.ts';
import { check } from './check.ts';
import type { Command, CommandGroup } from './command.ts';
import { convert } from './convert.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { format } from './format.ts';
import { lsp } from './lsp.ts';
import { record } from './record.ts';
import { send } from './send.ts';
import { tensor } from './tensor.ts';
import { tokens } from './tokens.ts';
import { tools } from './tools.ts';
import { trace } from './trace.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  check,
  format,
  convert,
  tensor,
  tokens,
  send,
  agents,
  tools,
  doctor,
  trace,
  record,
  bridge,
  demo,
  explain,
  lsp,
];
