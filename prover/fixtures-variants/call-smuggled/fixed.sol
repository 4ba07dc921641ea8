// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract OnlySelf {
    modifier onlySelf() {
        require(msg.sender == address(this), "only itself");
        _;
    }
}

contract Valve is OnlySelf {
    bool public isOpen;

    function relay(bytes memory message) public {
        require(bytes4(message) == this.close.selector, "only close");
        (bool ok, ) = address(this).call(message);
        require(ok, "failed");
    }

    function open() public onlySelf {
        isOpen = true;
    }

    function close() public onlySelf {
        isOpen = false;
    }
}

contract Executor is OnlySelf {
    uint256 public limit = 1;

    function execute(address to, bytes calldata message) external {
        bytes4 selector = bytes4(message);
        require(to == address(this) && selector == this.ping.selector, "not allowed");
        (bool ok, ) = to.call(message);
        require(ok, "failed");
    }

    function ping() external onlySelf {}

    function setLimit(uint256 value) external onlySelf {
        limit = value + 7;
    }
}

contract Queue is OnlySelf {
    uint256 public done;
    bool public isPaused;

    function run(uint256 nonce, bytes calldata message) external {
        require(bytes4(message) == this.count.selector, "not allowed");
        (bool ok, ) = address(this).call(message);
        require(ok && nonce < 10, "failed");
    }

    function count() external onlySelf {
        done++;
    }

    function pause() external onlySelf {
        isPaused = true;
    }
}

contract Delegate is OnlySelf {
    address public operator = address(1);

    function forward(bytes calldata message, uint256 value) external {
        require(bytes4(message) == this.note.selector && value < 10, "not allowed");
        (bool ok, ) = address(this).call(message);
        require(ok, "failed");
    }

    function note() external onlySelf {
        operator = address(1);
    }

    function setOperator(address next) external onlySelf {
        operator = next;
    }
}

contract Guardian is OnlySelf {
    mapping(bytes4 => bool) public isAllowed;
    uint256 public level;

    constructor() {
        isAllowed[this.lower.selector] = true;
    }

    function act(bytes calldata message) external {
        require(isAllowed[bytes4(message)], "not allowed");
        (bool ok, ) = address(this).call(message);
        require(ok, "failed");
    }

    function lower() external onlySelf {
        level = 0;
    }

    function raise() external onlySelf {
        level = 5;
    }
}
