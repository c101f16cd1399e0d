FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv ca-certificates && rm -r /var/lib/apt/lists
RUN useradd --system --home-dir /home/bohnenpost bohnenpost && install -d -m 700 -o bohnenpost -g bohnenpost /data
COPY . /src
RUN python3 -m venv /opt/bohnenpost && cd /opt/bohnenpost/bin && \
    ./pip install --no-cache-dir --require-hashes -r /src/requirements-postgres.lock && \
    ./pip install --no-cache-dir --no-deps --no-build-isolation /src && rm -r /src
ENV PATH=/opt/bohnenpost/bin:/usr/bin:/bin BOHNENPOST_HOME=/data BOHNENPOST_HOST=0.0.0.0
USER bohnenpost
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD ["python3", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8080/healthz')"]
CMD ["bohnenpost", "serve"]
