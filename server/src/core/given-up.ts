/** The reason of a signal that fires because the caller no longer wants the work. */
export class GivenUp extends Error {
  constructor() {
    super('Nobody waits for this any more.')
    this.name = 'GivenUp'
  }
}
