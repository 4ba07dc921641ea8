/** Whether every character takes one byte, so that lengths need no counting. */
export const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text)

/** Bytes that text[start, end) takes in UTF-8; the engine has no encoder at hand. */
export const utf8Length = (text: string, start: number, end: number): number => {
  let bytes = end - start
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < end) {
      bytes += 2
      i += 1
    } else bytes += 2
  }
  return bytes
}
