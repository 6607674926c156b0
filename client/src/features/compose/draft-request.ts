import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { answers } from '../../../../protocols/convert/calls/convertible-request.ts';
import { NO_SECRETS } from '../../../../core/secrets/redact.ts';
import { protocolRow, type ProtocolName, type ProtocolRow } from '../../../../core/catalog/protocols.ts';
import type { ComposerMode, TextMode } from '../../../../wire/composer-messages.ts';
import { writeToolCall } from '../../forms/tool-request.ts';
import { writeTask } from './chat-request.ts';

/** A draft that is a text in a language. */
export interface TextDraft {
  readonly agent: string;
  readonly protocol: ProtocolName;
  readonly mode: TextMode;
  readonly text: string;
}

/** A draft as the text of a file. */
export interface DraftFile {
  readonly text: string;
  /** The length of the text before the user's text: the line that names the agent. */
  readonly head: number;
  /** The end of the name of such a file. */
  readonly ending: string;
}

/** Prints a draft as a file with its agent's name above. */
export function printDraft({ agent, protocol, mode, text }: TextDraft): DraftFile {
  const isJson = mode === 'agent-json';
  const head = agent === '' ? '' : `${isJson ? '//' : '#'} @agent ${agent}\n`;
  const end = text.endsWith('\n') ? '' : '\n';
  const { requests }: ProtocolRow = protocolRow(protocol);
  const ending = isJson ? (requests?.files[0] ?? '.json') : `.${mode}`;
  return { text: `${head}${text}${end}`, head: head.length, ending };
}

const NO_TOOLS = { isComplete: false, tools: new Map() };

/** An example of a request in a mode. */
export function exampleOf(protocol: ProtocolName, mode: ComposerMode): string {
  const known = ALL_PROTOCOLS.find(protocol);
  switch (mode) {
    case 'aicf':
      return 'CALL|tool|argument';
    case 'aicl':
      return '[d:\n  [s:protocol]:[s:LightAICL],\n  …\n]';
    case 'agent-json': {
      const isTask = known !== undefined && answers(known, 'task');
      const request = isTask
        ? writeTask('What should the agent do?', 'session')
        : writeToolCall('tool', '{}', 'aicl', NO_TOOLS);
      const options = { protocols: ALL_PROTOCOLS, to: protocol, layout: 'pretty', tools: NO_TOOLS } as const;
      return convertText(request, { ...options, from: 'aicl' }).text.trim();
    }
    case 'chat':
    case 'tools':
      return '';
  }
}

/** A text in the form that is stored: without credentials, among them `AUTH:token` at the end of a request in AICF. */
export function toStored(mode: ComposerMode, text: string): string {
  return NO_SECRETS.redactText(mode === 'aicf' ? text.replace(/\|AUTH:[^\r\n]*/g, '') : text);
}
