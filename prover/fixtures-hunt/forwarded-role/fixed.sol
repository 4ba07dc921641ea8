// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Registrar {
    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function hand(address next) external {
        require(msg.sender == owner, "owner");
        owner = next;
    }
}

contract Gate {
    address public owner;
    address public registrar;

    constructor(address registrar_) {
        owner = msg.sender;
        registrar = registrar_;
    }

    fallback() external {
        (bool ok, ) = registrar.delegatecall(msg.data);
        require(ok, "refused");
    }
}
