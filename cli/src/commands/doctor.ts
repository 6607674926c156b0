import { connectAgent } from '../../../agents/all.ts';
import { diagnose, printDiagnosis } from '../../../agents/doctor/diagnose.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { EXIT } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { withAgent } from './with-agent.ts';
import { AGENTS_OPTION, FORMAT_OPTION, type Command } from './command.ts';

/**
 * `parley doctor`: tries to reach an agent step by step, by requests that change nothing. Naming the agent is the consent
 * to start it.
 */
export const doctor: Command = {
  name: 'doctor',
  usage: 'AGENT',
  summary: 'Tries to reach an agent step by step, and says what is wrong and what to do.',
  options: [AGENTS_OPTION, FORMAT_OPTION],
  async run(terminal, line) {
    return withAgent(terminal, line, async (session, agent) => {
      const opened = await session.open(agent);
      const diagnosis = await diagnose(opened.agent, terminal.catchInterrupts(), () => undefined, {
        connect: connectAgent,
        protocols: ALL_PROTOCOLS,
      });
      terminal.out(line.option('format') === 'json' ? printJson(diagnosis) : printDiagnosis(diagnosis));
      return diagnosis.steps.some(({ status }) => status === 'failed') ? EXIT.findings : EXIT.fine;
    });
  },
};
