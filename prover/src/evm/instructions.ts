const [push1, push32] = [0x60, 0x7f]

/** Without what the compiler appends about itself: its length stands in the last two bytes. */
const withoutMetadata = (code: Uint8Array): Uint8Array => {
  const [high = 0, low = 0] = code.slice(-2)
  const length = high * 256 + low + 2
  return length < code.length ? code.subarray(0, code.length - length) : code
}

/** Whether any instruction of deployed code that counts is one of these; data behind the code may look like one. */
export const hasInstruction = (
  deployed: Uint8Array,
  ops: ReadonlySet<number>,
  isCounted: (pc: number) => boolean = () => true,
): boolean => {
  const code = withoutMetadata(deployed)
  for (let at = 0; at < code.length; at++) {
    const byte = code[at] as number
    if (ops.has(byte) && isCounted(at)) return true
    if (byte >= push1 && byte <= push32) at += byte - push1 + 1
  }
  return false
}
