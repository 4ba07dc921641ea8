/** Origins of a list that commas or spaces separate, each once. */
export const readOrigins = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]
