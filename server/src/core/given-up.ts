/** The reason of a signal that fires because whoever asked for the work no longer wants it. */
export class GivenUp extends Error {
  constructor() {
    super('Nobody waits for this any more.')
    this.name = 'GivenUp'
  }
}
