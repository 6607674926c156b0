/** Counts the numbers that are not finite. */
export class NonFinite {
  nan = 0;
  positiveInfinity = 0;
  negativeInfinity = 0;

  add(value: number): void {
    if (value === Infinity) this.positiveInfinity++;
    else if (value === -Infinity) this.negativeInfinity++;
    else this.nan++;
  }
}
