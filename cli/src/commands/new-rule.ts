import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { shownPath } from '../input/collect-files.ts'
import { Complaint, exit } from '../io.ts'
import { newRule as texts } from '../messages/commands.ts'
import { scaffold } from '../messages/rule-scaffold.ts'
import { createBoundary } from '../project/boundary.ts'

/** Writes a rule that passes its test, to be changed into another. */
export const newRule = defineCommand({
  name: 'new-rule',
  summary: texts.writeNewRule,
  parameters: '<name>',
  details: [texts.filesWritten, texts.exitCode],
  options: {
    code: { description: texts.asModule },
    folder: { value: 'folder', default: 'rules', description: texts.whereRulesAre },
  },
  examples: [
    { line: 'assay new-rule no-origin', does: texts.ruleWithoutCode },
    { line: 'assay new-rule no-origin --code', does: texts.ruleInJavascript },
  ],

  async run({ paths: [name, ...others], options, io }) {
    if (name === undefined || others.length > 0) throw new Complaint(texts.nameRule)
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 60) throw new Complaint(texts.notKebabCase(name))
    const home = resolve(io.folder, options.folder, name)
    if (!createBoundary({ paths: ['.'] }, io).holds(home)) throw new Complaint(texts.outside(options.folder))
    if (existsSync(home)) throw new Complaint(texts.existsAlready(shownPath(home, io.folder)))
    const files = scaffold(name, options.code)
    for (const [path, text] of files) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text, { flag: 'wx' })
      io.out.write(texts.written(shownPath(join(home, path), io.folder)))
    }
    const [rule = ''] = files.keys()
    io.out.write(texts.next(shownPath(join(home, rule), io.folder)))
    return exit.clean
  },
})
