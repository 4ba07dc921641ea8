/** Names and sentences from outside, made to fit the place of a Solidity file into which they are written. */

const escapeUnit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** What ends a line for some compiler or editor, or reorders what is read. */
const hidden = /[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** For a comment to the end of the line: nothing in it begins another line. */
export const commentText = (text: string): string => text.replace(hidden, escapeUnit)

/** For a string in double quotes, and so for an import: plain strings take ASCII alone. */
export const stringText = (text: string): string =>
  text.replace(/["\\]/g, (character) => `\\${character}`).replace(/[^ -~]/g, escapeUnit)
