import fc from 'fast-check';

const STEPS = 1_000_000;

/**
 * Where in a text, as a share of it from 0 to 1. Any place is as likely as any other, save that both ends come more
 * often: of `fc.double` nine in ten are so small that they are the first place.
 */
export const share: fc.Arbitrary<number> = fc.nat(STEPS).map(step => step / STEPS);
