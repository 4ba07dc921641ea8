// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IVisitor {
    function isMember() external returns (bool);
    function offer() external view returns (uint256);
    function tier() external view returns (uint8);
    function recipient() external returns (address);
}

contract Ballroom {
    bool public isHost;
    uint256 public seat;

    function enter(uint256 wanted) external {
        IVisitor visitor = IVisitor(msg.sender);
        bool isMember = visitor.isMember();
        if (!isMember) {
            seat = wanted;
            isHost = isMember;
        }
    }
}

contract Auction {
    uint256 public highest = 70;

    function bid() external {
        uint256 offer = IVisitor(msg.sender).offer();
        require(offer > highest, "too low");
        highest = offer;
    }
}

contract Discount {
    mapping(address => uint8) public tierOf;

    function register() external {
        uint8 tier = IVisitor(msg.sender).tier();
        require(tier < 3, "not for sale");
        tierOf[msg.sender] = tier;
    }
}

contract Refunds {
    mapping(address => bool) public isBlocked;
    address public lastPaid;

    constructor() {
        isBlocked[address(1)] = true;
    }

    function refund() external {
        address recipient = IVisitor(msg.sender).recipient();
        require(!isBlocked[recipient], "blocked");
        lastPaid = recipient;
    }
}

contract Counter {
    uint256 public total = 40;
    uint256 public limit = 50;

    function add() external {
        uint256 offer = IVisitor(msg.sender).offer();
        require(total + offer <= limit, "full");
        total += offer;
    }
}
