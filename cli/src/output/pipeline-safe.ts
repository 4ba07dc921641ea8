/**
 * What a pipeline's log would take for a command: `::name::` at the beginning of a line and `##[name]` anywhere (GitHub),
 * `##vso[` (Azure), `##teamcity[`. A hostile contract could otherwise set variables of the job that scans it.
 */
const anywhere = /##(?=\[|vso\[|teamcity\[)/gi
const atLineStart = /^([^\S\n]*):(?=:)/gm

/** For text: the character that makes it a command is written out, as hidden ones are. */
export const safeText = (text: string): string => text.replace(anywhere, '#\\u{23}').replace(atLineStart, '$1\\u{3a}')

/** For JSON, where an escape means the same character; a line of it never starts with a colon. */
export const safeJson = (text: string): string => text.replace(anywhere, '#\\u0023')

export const safeHtml = (text: string): string => text.replace(anywhere, '#&#35;').replace(atLineStart, '$1&#58;')
