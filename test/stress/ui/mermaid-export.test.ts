import { describe } from 'mocha';
import { testAnyTrace, testParticipants, useMermaid } from '../../ui/support/mermaid-page.ts';

describe("large sequence diagrams, by Mermaid's own parser and painter", () => {
  const mermaid = useMermaid();
  testParticipants(mermaid, 500);
  testAnyTrace(mermaid, 50);
});
