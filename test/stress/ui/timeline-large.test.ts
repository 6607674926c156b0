import { testLargeTrace } from '../../ui/support/large-trace.ts';

testLargeTrace({ calls: 100_000, batch: 10_000, events: 10_000, step: 300 });
