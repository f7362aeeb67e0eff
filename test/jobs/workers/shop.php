<?php

/** What jobs in PHP do: charge somebody, while the shop is up. */
function charge(string $name): void
{
    $shop = getenv('SHOP');
    if (!file_exists("$shop/up")) {
        throw new RuntimeException('cURL error 7: Failed to connect to 10.0.0.7 port 443: Connection refused');
    }
    file_put_contents("$shop/done", "$name\n", FILE_APPEND);
}

/** The address of the database, as PDO has it, and by its parts. */
function database(): array
{
    $url = parse_url(getenv('URL'));
    parse_str($url['query'] ?? '', $query);

    return [
        'host' => $query['host'] ?? $url['host'],
        'port' => $query['port'] ?? $url['port'] ?? 5432,
        'database' => ltrim($url['path'], '/'),
        'username' => urldecode($url['user'] ?? ''),
        'password' => urldecode($url['pass'] ?? ''),
    ];
}
