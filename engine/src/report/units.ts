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

  /** Makes sure that `count` more units fit. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.data.length) return
    const wider = new Uint16Array(needed * 2)
    wider.set(this.data)
    this.data = wider
  }

  addText(text: string): void {
    this.reserve(text.length)
    const { data, length } = this
    for (let i = 0; i < text.length; i++) data[length + i] = text.charCodeAt(i)
    this.length = length + text.length
  }

  toString(): string {
    let text = ''
    for (let i = 0; i < this.length; i++) text += String.fromCharCode(this.data[i]!)
    return text
  }
}
