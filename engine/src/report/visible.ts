/** Characters that would hide or reorder text: controls, bidirectional marks, zero-width ones, line separators. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text with halves of surrogate pairs replaced: some encoders throw on them. */
export const wellFormed = (text: string): string => text.replace(loneSurrogate, '\ufffd')

/** Text of unknown origin with hidden characters written out, so that a report cannot be made to lie. Tab and newline stay. */
export const visible = (text: string): string =>
  wellFormed(text)
    .replace(/\r\n?/g, '\n')
    .replace(hidden, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same on one line. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]+/g, ' ')
