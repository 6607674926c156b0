import type { Message } from '../../core/message/message.ts';
import { dictValue, textIn, type Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { A2A } from '../../protocols/a2a/protocol.ts';
import { startServedDemo, type DemoHost } from './demo-host.ts';
import { offerTool, sayWords, serveDemo } from './served.ts';

/** Starts the demo agent `herald`, which proclaims the text of a message word by word, in A2A 1.0 and 0.3. */
export function startA2aAgent(): Promise<DemoHost> {
  const proclaim = offerTool({
    name: 'proclaim',
    description: 'Says it so that all hear it',
    title: 'Proclaim',
  });
  const offer = {
    name: 'herald',
    description: 'Proclaims what it receives',
    tools: [{ ...proclaim, isForTasks: true } as const],
    takesTasks: true,
  };
  const agent = serveDemo(A2A, offer, (asked, options, signal) =>
    sayWords(`Hear ye! ${readText(asked)}`, options, signal),
  );
  return startServedDemo(A2A, 'herald', agent);
}

/** What a message says: its texts, and anything else as JSON. */
function readText({ fields: { task, content, tool, arguments: given } }: Message): string {
  const parts = content?.kind === 'list' ? content.items : [];
  const said =
    task ??
    (tool &&
      dictValue([
        { key: 'tool', value: tool },
        { key: 'arguments', value: given },
      ]));
  return [...(said ? [said] : []), ...parts.map(valueOf)].map(show).join(' ');
}

function valueOf(part: Value): Value {
  const held =
    part.kind === 'dict' ? part.entries.find(({ key }) => key === 'text' || key === 'data') : undefined;
  return held?.value ?? part;
}

function show(value: Value): string {
  return textIn(value) ?? printForAgent(value);
}
