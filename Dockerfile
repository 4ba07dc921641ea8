# Built in one stage with the tools, run in another without them, as a user that owns nothing, on a file system that may be read-only.
# What it holds is put together by tools/image.mjs; `npm run image:tree` tries the same tree without Docker.
FROM node:24-trixie-slim AS build
WORKDIR /src
# What is installed depends on these alone: a change of a source installs nothing anew.
COPY package.json package-lock.json ./
COPY bench/package.json bench/
COPY cli/package.json cli/
COPY client/package.json client/
COPY engine/package.json engine/
COPY prover/package.json prover/
COPY server/package.json server/
COPY web/package.json web/
COPY cli/bin cli/bin
COPY server/bin server/bin
RUN npm ci --include=dev --ignore-scripts
COPY prover/packages prover/packages
RUN npm ci --prefix prover/packages --ignore-scripts
COPY . .
RUN node tools/image.mjs /app

FROM node:24-trixie-slim
# pg_dump and pg_restore of the version that compose.yaml runs: an older one refuses a newer server.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/bin:$PATH
WORKDIR /app
# What changes least comes first.
COPY --from=build /app/prover prover
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/web web
COPY --from=build /app/cli cli
COPY --from=build /app/downloads downloads
COPY --from=build /app/server server
COPY --from=build /app/package.json /app/LICENSE /app/sbom.json ./
RUN mkdir /data bin && chown node:node /data \
  && ln -s /app/server/bin/assay-server.mjs bin/assay-server && ln -s /app/cli/bin/assay.mjs bin/assay
USER node
VOLUME /data
EXPOSE 3000
LABEL org.opencontainers.image.title=Assay org.opencontainers.image.licenses=MIT
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/bin/assay-server.mjs"]
