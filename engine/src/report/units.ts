/** Longer text than this is rare; the room for it is not kept. */
const ordinaryLength = 4_096

/** Text in the making, as UTF-16 units: what is only hashed needs no string. */
export class Units {
  data = new Uint16Array(ordinaryLength)
  length = 0

  clear(): this {
    this.length = 0
    if (this.data.length > ordinaryLength) this.data = new Uint16Array(ordinaryLength)
    return this
  }

  add(unit: number): void {
    if (this.length === this.data.length) this.grow()
    this.data[this.length++] = unit
  }

  addText(text: string, from = 0, to: number = text.length): void {
    for (let i = from; i < to; i++) this.add(text.charCodeAt(i))
  }

  toString(): string {
    let text = ''
    for (let i = 0; i < this.length; i++) text += String.fromCharCode(this.data[i]!)
    return text
  }

  private grow(): void {
    const wider = new Uint16Array(this.data.length * 4)
    wider.set(this.data)
    this.data = wider
  }
}
