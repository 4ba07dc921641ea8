# Built in one stage with the tools, run in another without them, as a user that owns nothing, on a file system that may be read-only.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --include=dev --ignore-scripts && npm run build
RUN npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/engine engine
COPY --from=build /src/prover prover
COPY --from=build /src/server server
COPY --from=build /src/cli cli
COPY --from=build /src/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/dist/main.js"]
