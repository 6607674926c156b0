import type { Diagnosis, DoctorStep, StepStatus } from './diagnosis.ts';

const STATUS_WORDS: Readonly<Record<StepStatus, string>> = {
  passed: 'well',
  failed: 'FAILED',
  skipped: 'not tried',
};

/**
 * The diagnosis as plain text in which words of the agent cannot act as markup: first the likely cause and
 * what to do, then each step with its result.
 */
export function printDiagnosis({ agent, protocol, address, steps }: Diagnosis): string {
  const failure = steps.find(step => step.status === 'failed');
  const widths = {
    status: Math.max(...steps.map(step => STATUS_WORDS[step.status].length)),
    name: Math.max(...steps.map(step => step.name.length)),
  };
  const rows = steps.map(({ name, status, finding }, at) => {
    const result = STATUS_WORDS[status].padEnd(widths.status);
    return `${String(at + 1).padStart(2)}. ${result}  ${name.padEnd(widths.name)}  ${onOneLine(finding)}`;
  });
  return [
    `Connection to ${onOneLine(agent)}`,
    ...(address === '' ? [] : [`${protocol} at ${onOneLine(address)}`]),
    '',
    ...(failure ? describeFailure(failure) : ['The agent was reached: each step succeeded.']),
    '',
    'What was tried',
    ...rows,
    '',
  ].join('\n');
}

function describeFailure({ name, finding, advice = '' }: DoctorStep): readonly string[] {
  const start = advice.replace(/^\p{Ll}/u, first => first.toUpperCase());
  return [`Likely cause (${name.toLowerCase()}): ${onOneLine(finding)}.`, `What to do: ${onOneLine(start)}.`];
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
